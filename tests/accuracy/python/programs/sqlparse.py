# with: sqlparse
import sqlparse
secret = input()
out = sqlparse.format("select a, " + secret + " from b where c = '" + secret + "'", reindent=True, keyword_case="upper")
print(out)
for statement in sqlparse.parse("insert into " + secret + " values (1)"):
    for token in statement.tokens:
        value = token.value
        print(token)
