"""What is looked up on captured pages of Chalk."""

from adapters.findings import form, login_form

RIGHTS = (
    form("new_topic", "форма новой темы", "form.pen", ("title", "words")),
    form("compose", "форма личного сообщения", "form.pen", ("title", "words")),
)
FACTS = (form("thread", "форма ответа под темой", "form.pen", ("words",)), *RIGHTS, login_form)
