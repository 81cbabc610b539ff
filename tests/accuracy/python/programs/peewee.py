# with: peewee
from peewee import CharField, ForeignKeyField, Model, SqliteDatabase

db = SqliteDatabase(":memory:")


class Person(Model):
    name = CharField()

    class Meta:
        database = db


class Pet(Model):
    owner = ForeignKeyField(Person, backref="pets")
    name = CharField()

    class Meta:
        database = db


secret = input()
db.create_tables([Person, Pet])
person = Person.create(name=secret)
Pet.create(owner=person, name="rex")
for found in Person.select().where(Person.name == secret):
    name = found.name
    print(name)
for row in Pet.select(Pet.name, Person.name).join(Person).dicts():
    print(row)
