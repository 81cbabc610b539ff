# with: docutils
from docutils.core import publish_string
secret = input()
out = publish_string(secret + "\n=======================\n\nsome *" + secret + "* text\n\n:Author: " + secret + "\n\n- " + secret + "\n", writer="html")
print(out)
