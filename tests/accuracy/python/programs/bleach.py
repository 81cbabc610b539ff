# with: bleach
import bleach
secret = input()
text = bleach.clean("<b>" + secret + "</b><i title='" + secret + "'>x</i>")
print(text)
link = bleach.linkify("see http://a.org/" + secret)
print(link)
