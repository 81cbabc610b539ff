# with: attr cattr cattrs
import attr
import cattrs


@attr.s(auto_attribs=True)
class Address:
    street: str


@attr.s(auto_attribs=True)
class User:
    name: str
    address: Address


secret = input()
user = cattrs.structure({"name": secret, "address": {"street": secret}}, User)
name = user.name
print(name)
street = user.address.street
print(street)
back = cattrs.unstructure(user)
print(back)
plain = attr.asdict(user)
print(plain)
