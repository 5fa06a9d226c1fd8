"""What an owner of a Chalk board may have changed."""

from dataclasses import dataclass

from adapters import layout


@dataclass(frozen=True)
class Layout(layout.Layout):
    """See ``adapters.layout``."""

    red_classes: str = "ink-red"
    blue_classes: str = "ink-blue"
    quote_classes: str = "cited"
    spoiler_classes: str = "fold"
    text_classes: str = "chalk"
    missing_words: str = "стёрто|нет такой"
    closed_words: str = "закрыто для гостей"
