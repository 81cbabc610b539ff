# with: marshmallow
from marshmallow import Schema, fields, post_load, validate


class User:
    def __init__(self, name, mail):
        self.name = name
        self.mail = mail


class UserSchema(Schema):
    name = fields.String(required=True, validate=validate.Length(max=100))
    mail = fields.String()

    @post_load
    def make(self, data, **kwargs):
        return User(**data)


secret = input()
user = UserSchema().load({"name": secret, "mail": "b"})
name = user.name
print(name)
out = UserSchema().dump(user)
print(out)
text = UserSchema().dumps(user)
print(text)
