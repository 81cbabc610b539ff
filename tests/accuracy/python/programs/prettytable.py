# with: prettytable
from prettytable import PrettyTable
secret = input()
table = PrettyTable()
table.field_names = ["name", "mail"]
table.add_row([secret, "b"])
text = table.get_string(sortby="name")
print(text)
html = table.get_html_string()
print(html)
