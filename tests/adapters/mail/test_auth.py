"""``Authentication-Results``: a stranger's words in it prove nothing, and what our server says is its last word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.mail.auth import aligned, is_public, verdict
from adapters.mail.letters import read_letter

SERVER = "mx.host.example"
VICTIM = "victim.example"


def said(results: str, domain: str = VICTIM) -> str:
    return verdict([f"{SERVER}; {results}"], SERVER, domain)


@pytest.mark.parametrize(
    "results",
    [
        "dkim=fail header.s=a,b header.d=evil.example; "
        'spf=pass smtp.mailfrom="x; dmarc=pass header.from=victim.example; y"@evil.example; dmarc=fail header.from=x.example',
        'spf=pass smtp.mailfrom="x; dmarc=pass header.from=victim.example; y"@evil.example',
        r'spf=pass smtp.mailfrom="\"; dmarc=pass header.from=victim.example; \""@evil.example',
        'spf=pass smtp.mailfrom="a@victim.example"@evil.example',
        "spf=pass smtp.mailfrom=a@victim.example,b@evil.example",
        "spf=pass (an open comment smtp.mailfrom=a@victim.example",
        "spf=pass ) smtp.mailfrom=a@victim.example",
        'spf=pass smtp.mailfrom="a@victim.example',
        "dkim=pass header.d=victim.example header.d=evil.example",
        "dkim=pass header.d=victim.example; =pass",
        "dkim=pass header.d=victim.example; dmarc",
        "dkim=pass header.d = victim.example extra",
        "dkim=pass header.d=victim\ufffd.example",
        "spf=fail (dmarc=pass header.from=victim.example) smtp.mailfrom=a@victim.example",
        "dmarc=pass header.from=victim.example; dmarc=pass header.from=evil.example",
        "dmarc=pass header.from=victim.example; dmarc=fail header.from=victim.example",
        "",
    ],
)  # fmt: skip
def test_x02_a_field_out_of_its_grammar_or_with_words_in_quotation_marks_proves_nothing(results: str) -> None:
    assert said(results) == "fail"


def test_x02_fields_as_servers_write_them_are_read() -> None:
    assert said("dkim=pass header.i=@victim.example header.s=20230601 header.b=ZyX/wV+12==; spf=none") == "pass"
    assert said('dkim=pass (2048-bit; bare) header.d=victim.example header.b="a/b"; iprev=pass policy.iprev=::1;') == "pass"
    assert said("spf=pass (host: domain of a@victim.example, rule=[ip4:192.0.2.0/24]) smtp.mail=a@victim.example") == "pass"
    assert said("dmarc=pass action=none header.from=victim.example;compauth=pass reason=100") == "pass"
    assert said('spf=pass smtp.mailfrom="two words"@victim.example') == "pass"
    assert said("none") == said("spf=none; dkim=none") == "none"


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=60))
def test_x02_no_envelope_name_of_a_stranger_proves_another_domain(local: str) -> None:
    quoted = local.replace("\\", "\\\\").replace('"', '\\"')
    for broken in (local, quoted):
        told = f'spf=pass smtp.mailfrom="{broken}"@evil.example; dmarc=fail header.from=victim.example'
        assert said(told) == "fail"
    assert said(f'spf=pass smtp.mailfrom="{quoted}"@evil.example') == "fail"


@pytest.mark.parametrize(
    ("results", "domain"),
    [
        ("dmarc=fail header.from=alice.duckdns.org; dkim=pass header.d=mallory.duckdns.org", "alice.duckdns.org"),
        ("dkim=pass header.d=mallory.duckdns.org", "alice.duckdns.org"),
        ("dkim=pass header.d=duckdns.org", "alice.duckdns.org"),
        ("dkim=pass header.d=mallory.eu.org", "alice.eu.org"),
        ("spf=pass smtp.mailfrom=a@ru.net", "alice.ru.net"),
        ("dkim=pass header.d=tenant.victim.example", VICTIM),
        ("dkim=pass header.d=notvictim.example", VICTIM),
        ("dkim=pass header.d=example", VICTIM),
        ("dmarc=fail header.from=victim.example; dkim=pass header.d=victim.example", VICTIM),
        ("dmarc=pass", VICTIM),
        ("dmarc=pass; dkim=pass header.d=evil.example", VICTIM),
        ("dmarc=pass header.from=evil.example; dkim=pass header.d=victim.example", VICTIM),
    ],
)
def test_x03_neighbours_public_names_and_a_servers_no_prove_nothing(results: str, domain: str) -> None:
    assert said(results, domain) == "fail"


def test_x03_the_domain_itself_or_one_above_it_proves() -> None:
    assert said("dkim=pass header.d=victim.example", "mail.victim.example") == "pass"
    assert said("dkim=pass header.d=alice.duckdns.org", "mail.alice.duckdns.org") == "pass"
    assert said("dmarc=none; spf=pass smtp.mailfrom=a@victim.example") == "pass"
    assert aligned("пример.рф", "xn--e1afmkfd.xn--p1ai")
    assert is_public("msk.ru") and is_public("co.uk") and not is_public("mail.ru")


def test_x02_our_servers_broken_field_is_not_passed_over_for_the_one_below_it() -> None:
    fields = [f"{SERVER}; spf=pass (open", f"{SERVER}; dmarc=pass header.from=victim.example"]
    assert verdict(fields, SERVER, VICTIM) == "fail"
    assert verdict([f"{SERVER} (open; x", fields[1]], SERVER, VICTIM) == "fail"
    raw = "".join(f"Authentication-Results: {one}\r\n" for one in fields) + "From: a@victim.example\r\n\r\nбью Анну\r\n"
    assert read_letter(raw.encode(), authserv=SERVER).auth == "fail"


@pytest.mark.parametrize(("proven", "claimed"), [("stra\u00dfe.example", "strasse.example"), ("\u00df.example", "ss.example")])
def test_x03_a_name_that_old_rules_turn_into_another_proves_nothing_for_it(proven: str, claimed: str) -> None:
    """"ß" is registered by itself; whoever has it is a stranger to "ss"."""
    for one, other in ((proven, claimed), (claimed, proven)):
        assert verdict([f"mx; dmarc=pass header.from={one}"], "mx", other) == "fail"
        assert verdict([f"mx; dmarc=pass header.from={one}"], "mx", one) == "pass"
    assert verdict(["mx; dmarc=pass header.from=xn--e1afmkfd.xn--p1ai"], "mx", "пример.рф") == "pass"
