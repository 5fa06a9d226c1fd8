"""What ``check`` finds: one line each, fine or with what to do; and one look at the outside with its troubles in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ``advice`` is empty when it is fine."""

    what: str
    advice: str = ""

    @property
    def fine(self) -> bool:
        return not self.advice

    def __str__(self) -> str:
        return f"[{'ok' if self.fine else '!!'}] {self.what}" + (f": {self.advice}" if self.advice else "")


class Amiss(Exception):
    """What was looked at is not as it must be; the text says what to do."""


def attempt(look: Callable[[], str], what: str, reasons: Mapping[str, str] = MappingProxyType({})) -> Finding:
    """One look; ``reasons``: what a page that is not what it should be means here."""
    from adapters.errors import LoginFailed, MailError, MailLoginFailed, NoThread, NotSecure, OutsideError, Unfamiliar
    from forumbot.hosting.core.troubles import WORDS

    try:
        return Finding(look())
    except Amiss as error:
        return Finding(what, str(error))
    except NoThread as error:
        return Finding(what, reasons.get(error.reason) or WORDS.get(error.reason, error.text))
    except Unfamiliar as error:
        return Finding(what, error.text)
    except NotSecure as error:
        return Finding(what, WORDS[f"mail_{error.reason}"])
    except LoginFailed as error:
        advice = "проверьте user и secrets/forum_password, войдите этим именем в браузере"
        return Finding(what, f"логин или пароль не приняты: {error.text.rstrip('.')}; {advice}")
    except MailLoginFailed:
        advice = "проверьте address, user и secrets/mail_password, у больших почт нужен пароль приложения"
        return Finding(what, f"логин или пароль не приняты: {advice}")
    except OutsideError as error:
        known = next((told for words, told in _LINES.items() if words in error.text), "")
        advice = known or (
            "почтовый сервер просит зайти позже" if isinstance(error, MailError) else f"непонятный ответ: {error.text}"
        )
        return Finding(what, f"нет связи: {advice}")


_LINES: Mapping[str, str] = {
    "gaierror": "сервера с таким именем нет, проверьте имя и порт в forumbot.toml",
    "refused": "на этом порту никто не отвечает, проверьте имя и порт в forumbot.toml",
    "ConnectError": "соединиться не удалось, проверьте url в [forum] и откройте его в браузере",
    "UnsupportedProtocol": "проверьте url в [forum]",
    "imeout": "ответа не дождались, проверьте имя и порт в forumbot.toml",
    "time-out": "ответа не дождались, проверьте имя и порт в forumbot.toml",
    "сервер ответил": "у форума неполадки, попробуйте позже",
}
"""Words of the libraries about a line that did not come about."""
