"""Stories in letters (league R15): where the order ends and literature begins. Nicks inside a story are no targets."""

from __future__ import annotations

from forumbot.reading.sentences import Sentence, Text

_WORDS_OF_A_STORY = 5
"""So many words behind an order are a story even without the word «Рассказ»."""


def story_mark(text: Text) -> int | None:
    """The index of the sentence in which a story is announced and begins, or None; a promise begins nothing."""
    for index, sentence in enumerate(text.sentences):
        if sentence.subject or not _announces(sentence):
            continue
        if promised(sentence):
            continue
        return index
    return None


def _announces(sentence: Sentence) -> bool:
    actions = [hit.start for hit in sentence.kinds("action")]
    return any(not any(start <= mark.start for start in actions) for mark in sentence.places("story"))


def promised(sentence: Sentence) -> bool:
    """«Рассказ допишу к вечеру»."""
    return sentence.has("story") and sentence.has("promise")


def story_of(text: Text, index: int) -> str:
    """The story that the sentence ``index`` announces: what follows its colon, or the sentence."""
    sentence = text.sentences[index]
    for at in range(sentence.start, sentence.end):
        if text.found[at].folded == ":":
            return text.own.text[text.found[at].end :].strip()
    if index + 1 < len(text.sentences):
        return text.own.text[text.found[text.sentences[index + 1].start].start :].strip()
    return text.words(sentence.start, sentence.end) if sentence.end - sentence.start > 2 else ""


def rest(text: Text, index: int) -> str:
    """What stands behind the sentence ``index``, when it is long enough for a story; promises are none."""
    following = [sentence for sentence in text.sentences[index + 1 :] if not promised(sentence)]
    words = sum(1 for s in following for i in range(s.start, s.end) if text.found[i].kind == "w")
    if words < _WORDS_OF_A_STORY:
        return ""
    return text.own.text[text.found[following[0].start].start :].strip()
