# with: isort
import isort
secret = input()
out = isort.code("import z\nimport " + secret + "\nfrom a import " + secret + "\n")
print(out)
