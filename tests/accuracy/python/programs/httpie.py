# with: httpie
from httpie.core import main
secret = input()
main(["http", "--offline", "--ignore-stdin", "--pretty=none", "POST", "pie.dev/post", "name=" + secret, "X-Token:" + secret])
