"""Replies from many mail programs: what is new, what is quoted, what a program or a firm added."""
# ruff: noqa: E501 - the tables hold lines as mail programs write them, one to a row

from __future__ import annotations

import pytest

from adapters.mail.replies import new_words

OLD = "Ваш прошлый ход: бью Сову"

ATTRIBUTIONS = {
    "gmail_ru": "вт, 24 нояб. 2026 г. в 21:03, Ведущий <mafia@example.org>:",
    "gmail_ru_long_name": "сб, 5 дек. 2026 г. в 9:05, Клуб «Полночь», газета и ведущий <mafia@example.org>:",
    "gmail_ru_old": "24 ноября 2026 г., 21:03 пользователь Ведущий <mafia@example.org> написал:",
    "gmail_ru_android": "пн, 30 нояб. 2026 г., 7:00 Ведущий <mafia@example.org>:",
    "gmail_ru_wrapped": "чт, 3 дек. 2026 г. в 23:59, Ведущий\n<mafia@example.org>:",
    "gmail_en": "On Tue, Nov 24, 2026 at 9:03\u202fPM Host <mafia@example.org> wrote:",
    "gmail_en_wrapped": "On Thu, Dec 3, 2026 at 11:59 PM Mafia Host of the Midnight club <\nmafia@example.org> wrote:",
    "gmail_uk": "пт, 4 груд. 2026 р. о 21:03 Ведучий <mafia@example.org> пише:",
    "yandex_web": '24.11.2026, 21:03, "Ведущий" <mafia@example.org>:',
    "yandex_old": '24.11.2026, 21:03, "Ведущий" <mafia@example.org>:',
    "yandex_month_name": '3 декабря 2026, 08:15, "Ведущий" <mafia@example.org>:',
    "mailru_web": "Вторник, 24 ноября 2026, 21:03 +03:00 от Ведущий <mafia@example.org>:",
    "mailru_app": "четверг, 3 декабря 2026 г., 7:15 +0300 от Ведущий <mafia@example.org>:",
    "mailru_no_address": "Понедельник, 30 ноября 2026, 12:00 +03:00 от Ведущий:",
    "trouble_t35": "Понедельник, 30 ноября 2026, 12:00 +03:00 от Ведущий <...>:",
    "trouble_t35_verb": "Ведущий клуба «Полночь» написал(а):",
    "rambler_old": "* Ведущий <mafia@example.org> [Tue, 24 Nov 2026 21:03:11 +0300]:",
    "outlook_ios": "24 нояб. 2026 г., в 21:03, Ведущий <mafia@example.org> написал(а):",
    "apple_ru": "3 дек. 2026 г., в 9:15, Ведущий <mafia@example.org> написал(а):",
    "apple_ru_woman": "3 дек. 2026 г., в 9:15, Мария <mafia@example.org> написала:",
    "apple_en": "On 3 Dec 2026, at 09:15, Host <mafia@example.org> wrote:",
    "apple_wrapped_twice": "24 нояб. 2026 г., в 21:03, Ведущий клуба «Полночь»\nи редактор её газеты\n<mafia@example.org> написал(а):",
    "thunderbird_ru": "24.11.2026 21:03, Ведущий пишет:",
    "thunderbird_ru_old": "24.11.2026 21:03, Ведущий написал:",
    "thunderbird_en": "On 24/11/2026 21:03, Host wrote:",
    "thunderbird_iso": "On 2026-11-24 21:03, Host wrote:",
    "the_bat_ru": "Вы писали 24 ноября 2026 г., 21:03:11:",
    "the_bat_en": "Tuesday, November 24, 2026, 9:03:11 PM, you wrote:",
    "k9_ru": '24 ноября 2026 г. 21:03:11 GMT+03:00, "Ведущий" <mafia@example.org> пишет:',
    "k9_en": 'On 24 November 2026 21:03:11 GMT+03:00, "Host" <mafia@example.org> wrote:',
    "yahoo_ru": "вторник, 24 ноября 2026 г. в 21:03:11 GMT+3, Ведущий <mafia@example.org> написал(-а):",
    "yahoo_en": "On Tuesday, November 24, 2026 at 09:03:11 PM GMT+3, Host <mafia@example.org> wrote:",
    "proton": "On Tuesday, November 24th, 2026 at 9:03 PM, Host <mafia@example.org> wrote:",
    "mutt": "Ведущий <mafia@example.org> писал(а) 24.11.2026 21:03:",
    "evolution": "В Вт, 24/11/2026 в 21:03 +0300, Ведущий пишет:",
    "roundcube": "Ведущий <mafia@example.org> писал 2026-11-24 21:03:",
    "samsung_en": "On 24 Nov 2026 21:03, Host <mafia@example.org> wrote:",
    "name_first": "Ведущий <mafia@example.org> wrote:",
    "nbsp": "вт, 24\xa0нояб. 2026\xa0г. в\xa021:03, Ведущий <mafia@example.org>:",
}


@pytest.mark.parametrize("line", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS.keys())
def test_below_an_attribution_all_is_old_when_it_bears_no_marks(line: str) -> None:
    assert new_words(f"лечу Анну\n\n{line}\n\n{OLD}\nЖду ход.\n").text == "лечу Анну"


@pytest.mark.parametrize("line", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS.keys())
def test_an_attribution_above_marked_lines_goes_and_the_answer_below_stays(line: str) -> None:
    assert new_words(f"{line}\n> {OLD}\n> Жду ход.\n\nлечу Анну\n").text == "лечу Анну"


@pytest.mark.parametrize("line", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS.keys())
def test_words_between_quoted_lines_stay_and_are_doubtful(line: str) -> None:
    got = new_words(f"Привет!\n{line}\r\n> Кого лечим?\r\nАнну.\r\n> Кого бьём?\r\nНикого.\r\n")
    assert got.text.split() == ["Привет!", "Анну.", "Никого."]
    assert got.doubtful


HEADS = {
    "outlook_ru": "-----Исходное сообщение-----\nОт: Ведущий [mailto:mafia@example.org]\nОтправлено: 24 ноября 2026 г. 21:03\nКому: a@example.com\nТема: ход",
    "outlook_ru_spaces": "----- Исходное сообщение -----\nОт: Ведущий\nКому: Анна\nОтправлено: 24 ноября 2026 г. 21:03\nТема: ход",
    "outlook_en": "-----Original Message-----\nFrom: Host [mailto:mafia@example.org]\nSent: Tuesday, November 24, 2026 9:03 PM\nTo: Anna\nSubject: move",
    "outlook_365": "From: Host <mafia@example.org>\nSent: Tuesday, November 24, 2026 9:03 PM\nTo: Anna <a@example.com>\nSubject: move",
    "outlook_365_rule": "________________________________\nОт: Ведущий <mafia@example.org>\nОтправлено: вторник, 24 ноября 2026 г. 21:03\nКому: Анна\nКопия: Борис\nТема: ход",
    "outlook_bold": "*От:* Ведущий <mafia@example.org>\n*Отправлено:* вторник, 24 ноября 2026 г. 21:03\n*Кому:* Анна\n*Тема:* ход",
    "outlook_two_lines": "От: Ведущий <mafia@example.org>\nДата: вторник, 24 ноября 2026 г. в 21:03",
    "outlook_long_list": "От: Ведущий <mafia@example.org>\nОтправлено: 24 ноября 2026 г. 21:03\nКому: Анна <a@example.com>; Борис\n<b@example.com>; Вера\nТема: ход",
    "samsung": "-------- Исходное сообщение --------\nОт: Ведущий <mafia@example.org>\nДата: 24.11.2026 21:03 (GMT+03:00)\nКому: a@example.com\nТема: ход",
    "samsung_en": "-------- Original message --------\nFrom: Host <mafia@example.org>\nDate: 11/24/26 21:03 (GMT+03:00)\nTo: a@example.com\nSubject: move",
    "gmail_forward": "---------- Forwarded message ---------\nОт: Ведущий <mafia@example.org>\nDate: вт, 24 нояб. 2026 г. в 21:03\nSubject: ход\nTo: Анна <a@example.com>",
    "gmail_forward_ru": "---------- Пересылаемое сообщение ---------\nОт: Ведущий <mafia@example.org>\nДата: вт, 24 нояб. 2026 г. в 21:03\nТема: ход\nКому: Анна",
    "thunderbird_forward": "-------- Перенаправленное сообщение --------\nТема: ход\nДата: Tue, 24 Nov 2026 21:03:11 +0300\nОт: Ведущий <mafia@example.org>\nКому: Анна",
    "apple_forward": "Начало переадресованного сообщения:\n\nОт: Ведущий <mafia@example.org>\nТема: ход\nДата: 24 ноября 2026 г., 21:03:11 GMT+3\nКому: Анна",
    "apple_forward_en": "Begin forwarded message:\n\nFrom: Host <mafia@example.org>\nSubject: move\nDate: 24 November 2026\nTo: Anna",
    "mailru_forward": "-------- Пересылаемое сообщение --------\nОт: Ведущий <mafia@example.org>\nКому: Анна\nДата: Вторник, 24 ноября 2026, 21:03 +03:00\nТема: ход",
    "receipt": "От: Ведущий\nДата: 24.11.2026 20:15\nКому: a@example.com\nТема: Ход принят",
    "yandex_phone": '----------------\nКому: Анна (a@example.com);\nТема: ход;\n24.11.2026, 21:03, "Ведущий" <mafia@example.org>:',
    "ukrainian": "Від: Ведучий <mafia@example.org>\nНадіслано: 24 листопада 2026 р. 21:03\nКому: Анна\nТема: хід",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS.keys())
def test_below_the_head_of_an_old_letter_all_is_old(head: str) -> None:
    assert new_words(f"лечу Анну\n\n{head}\n\n{OLD}\nОтмена хода: напишите «отменяю ход».\n").text == "лечу Анну"


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS.keys())
def test_a_letter_of_an_old_letter_only_has_no_words(head: str) -> None:
    got = new_words(f"{head}\n\n{OLD}\n")
    assert got.text == ""
    assert got.doubtful


ADDED = {
    "iphone": "Отправлено с iPhone",
    "ipad": "Отправлено с iPad",
    "iphone_en": "Sent from my iPhone",
    "galaxy": "Отправлено с моего устройства Galaxy",
    "samsung": "Отправлено со смартфона Samsung Galaxy.",
    "xiaomi": "Отправлено с моего телефона Xiaomi",
    "huawei_en": "Sent from my Huawei phone",
    "android": "Отправлено с Android-устройства",
    "yandex": "Отправлено из мобильной Яндекс Почты",
    "yandex_dot": "Отправлено из мобильного приложения Яндекс.Почты",
    "yandex_old": "Отправлено из мобильной Яндекс.Почты: http://m.ya.ru/ymail",
    "mailru": "Отправлено из мобильной Почты Mail.ru",
    "mailru_old": "Отправлено из Mail.ru для Android",
    "mymail": "Отправлено из myMail для iOS",
    "rambler": "Отправлено из мобильной версии Рамблер/почты",
    "outlook_ru": "Скачать Outlook для Android",
    "outlook_ios": "Получите Outlook для iOS",
    "outlook_en": "Get Outlook for iOS<https://example.com/ios>",
    "windows": "Отправлено из Почты для Windows",
    "windows_en": "Sent from Mail for Windows 10",
    "thunderbird": "Отправлено с помощью Thunderbird",
    "k9": "Простите за краткость, создано в K-9 Mail.",
    "k9_old": "Отправлено с устройства Android с помощью K-9 Mail. Простите за краткость.",
    "k9_en": "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
    "bluemail": "Отправлено с помощью BlueMail",
    "proton": "Sent with Proton Mail secure email.",
    "yahoo": "Отправлено из Yahoo Почты на Android",
    "ukrainian": "Надіслано з iPhone",
    "avast": "Без вирусов. www.avast.com",
    "avast_en": "Virus-free. www.avast.com",
    "avast_rule": "---\nЭто сообщение проверено на вирусы антивирусом Avast.\nhttps://www.avast.com/antivirus",
    "kaspersky": "Проверено антивирусом Касперского",
    "signature": "-- \nАнна, врач\nбью Сову по вторникам",
    "signature_no_blank": "--\nВаш Борис, врач",
    "regards": "С уважением,\nАнна",
    "regards_name": "С уважением, Анна.",
    "regards_no_comma": "С уважением Анна",
    "regards_short": "С ув., Анна",
    "wishes": "С наилучшими пожеланиями,\nАнна Иванова\nтел. 000-00-00",
    "regards_en": "Best regards,\nAnna",
    "sincerely": "Искренне Ваша,\nАнна",
    "legal": "Данное сообщение и любые приложения к нему конфиденциальны и предназначены только для адресата. Если оно попало к вам по ошибке, удалите его.",
    "legal_wrapped": "_______________\nНастоящее письмо и приложения к нему предназначены исключительно для\nадресата и могут содержать конфиденциальную информацию.",
    "legal_en": "This e-mail and any attachments are confidential and intended solely for the addressee. If you are not the addressee, delete it.",
    "group": "_______________________________________________\nigra mailing list\nigra@groups.example.net\nhttps://groups.example.net/igra",
    "google_group": "-- \nВы получили это сообщение, поскольку подписаны на группу «Игра».",
}


@pytest.mark.parametrize("added", ADDED.values(), ids=ADDED.keys())
def test_what_programs_and_firms_add_is_left_out(added: str) -> None:
    assert new_words(f"лечу Анну\n\n{added}\n").text == "лечу Анну"


@pytest.mark.parametrize("added", ADDED.values(), ids=ADDED.keys())
def test_what_is_added_above_a_quotation_is_left_out(added: str) -> None:
    text = f"лечу Анну\n\n{added}\n\nвт, 24 нояб. 2026 г. в 21:03, Ведущий <mafia@example.org>:\n> {OLD}\n"
    assert new_words(text).text == "лечу Анну"


OWN = {
    "sentence_like_regards": "С уважением отношусь к Снежане, но граблю сегодня её.",
    "sentence_like_device": "Отправлено с тяжёлым сердцем, она мне нравится.",
    "sentence_like_device_phone": "Отправлено было с телефона Бориса, а лечу я Анну.",
    "sentence_like_attribution": "Вы писали, что Калина умерла, но она жива.",
    "date_and_move": "Ход на 24.11.2026, 21:00: слежу за Калиной.",
    "told_words": "Борис вчера написал: лечу Веру. Я лечу Анну.",
    "told_words_next_line": "Борис пишет:\nлечу Веру, а я лечу Анну",
    "to_whom": "Кому: Анне\nЧто: лечение",
    "arrow": "лечу Анну -> Бориса не трогаю",
    "smile": ">:( лечу Анну",
    "thanks": "Спасибо за игру!\nлечу Анну\nВсего доброго!",
    "postscript": "С уважением, Борис\n\nP.S. Ход меняю: бью Сову.",
    "list": "- лечу Анну\n- проверяю Бориса",
    "list_dashes": "— лечу Анну\n— проверяю Бориса",
    "rule_between": "лечу Анну\n-----\nэто всё",
    "subject_word": "Тема: ход\nлечу Анну",
    "virus_word": "Вирус пускаю на Анну",
    "confidential_word": "Конфиденциально: лечу Анну",
    "mail_word": "Отправьте почтой Борису: лечу Анну",
    "this_word": "Это сообщение для ведущего: лечу Анну",
}


@pytest.mark.parametrize("text", OWN.values(), ids=OWN.keys())
def test_own_words_that_look_like_something_else_stay(text: str) -> None:
    assert new_words(text).text.split() == text.split()


def test_a_forwarded_letter_with_a_written_end_gives_the_word_back() -> None:
    text = (
        'Смотрите:\n-------- Пересылаемое сообщение --------\n24.11.2026, 21:03, "Сова" <s@example.org>:\n\nбью Сову\n'
        "-------- Конец пересылаемого сообщения --------\nлечу Анну\n"
    )
    assert new_words(text).text.split() == ["Смотрите:", "лечу", "Анну"]


def test_initials_before_the_sign_mark_a_quotation() -> None:
    assert new_words("Вы писали:\n\nВП> Кого лечим?\nАнну.\n").text == "Анну."


def test_the_end_of_a_quoted_line_that_a_program_broke_off_is_no_word_of_the_writer() -> None:
    text = "> Напоминаю, что вчера ночью вы подпиливали ступеньку на крыльце у\nКалины.\n> Что сегодня?\n\nлечу Анну\n"
    assert "Калины" not in new_words(text.replace("Калины.", "калины.")).text


def test_a_signature_ends_where_a_quotation_begins() -> None:
    assert new_words("-- \nАнна\n\n> Кого лечим?\n\nБориса.\n").text == "Бориса."


def test_nothing_is_not_doubtful() -> None:
    assert new_words(" \n\n") == new_words("")
    assert not new_words("").doubtful


def test_a_carriage_return_sticks_to_no_word() -> None:
    """T40."""
    assert new_words("лечу Анну\r\nпроверяю Бориса\r\n").text == "лечу Анну\nпроверяю Бориса"
