# with: frontmatter
import frontmatter
secret = input()
post = frontmatter.loads("---\ntitle: " + secret + "\n---\nhello " + secret)
title = post["title"]
print(title)
content = post.content
print(content)
out = frontmatter.dumps(post)
print(out)
