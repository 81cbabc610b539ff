# with: yaml
import yaml
secret = input()
data = yaml.safe_load("name: " + secret + "\nlist:\n- " + secret + "\n")
name = data["name"]
print(name)
text = yaml.safe_dump({"mail": secret, "all": [secret]})
print(text)
