# with: jsonschema
from jsonschema import Draft7Validator
secret = input()
schema = {"type": "object", "properties": {"age": {"type": "integer"}, "name": {"enum": ["a", "b"]}}}
for error in Draft7Validator(schema).iter_errors({"age": secret, "name": secret}):
    message = error.message
    print(message)
