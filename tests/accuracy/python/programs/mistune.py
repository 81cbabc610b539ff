# with: mistune
import mistune
secret = input()
html = mistune.html("# " + secret + "\n\nsome *" + secret + "* and [" + secret + "](http://a/" + secret + ")\n\n- " + secret + "\n\n> " + secret + "\n\n`" + secret + "`\n")
print(html)
