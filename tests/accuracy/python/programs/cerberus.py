# with: cerberus
from cerberus import Validator
secret = input()
v = Validator({"name": {"type": "string", "maxlength": 3}, "mail": {"type": "string"}})
ok = v.validate({"name": secret, "mail": secret})
errors = v.errors
print(errors)
document = v.document
print(document)
