# with: celery kombu
from celery import Celery, chain

app = Celery("a", broker="memory://", backend="cache+memory://")
app.conf.task_always_eager = True
app.conf.task_store_eager_result = False


@app.task
def clean(text):
    return text.strip()


@app.task
def greet(text, word):
    line = word + " " + text
    return line


secret = input()
result = chain(clean.s(secret), greet.s("hello")).apply()
out = result.get()
print(out)
second = greet.delay("a", word=secret)
value = second.get()
print(value)
