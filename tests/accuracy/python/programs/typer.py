# with: typer click
import typer
from typer.testing import CliRunner
app = typer.Typer()


@app.command()
def hello(name: str, greeting: str = "hi", tags: list[str] = []):
    line = greeting + " " + name
    typer.echo(line)


secret = input()
result = CliRunner().invoke(app, [secret, "--greeting", secret, "--tags", secret])
out = result.stdout
print(out)
