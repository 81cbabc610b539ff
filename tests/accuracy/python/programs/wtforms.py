# with: wtforms
from wtforms import Form, StringField, validators


class Entry(Form):
    title = StringField("Title", [validators.Length(max=100)])


class Data(dict):
    def getlist(self, name):
        return [self[name]]


secret = input()
form = Entry(Data(title=secret))
form.validate()
title = form.title.data
print(title)
html = form.title()
print(html)
every = form.data
print(every)
