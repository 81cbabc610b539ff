# with: tomlkit
import tomlkit
secret = input()
doc = tomlkit.parse('[owner]\nname = "' + secret + '"\n')
name = doc["owner"]["name"]
print(name)
doc["owner"]["mail"] = secret
text = tomlkit.dumps(doc)
print(text)
