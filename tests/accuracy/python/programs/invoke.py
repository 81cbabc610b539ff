# with: invoke
from invoke import Collection, Program, task


@task
def build(c, name, kind="x"):
    print(name)
    print(kind)


secret = input()
ns = Collection(build)
Program(namespace=ns, version="1").run(["inv", "build", "--name", secret, "--kind", secret], exit=False)
