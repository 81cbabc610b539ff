# with: luigi
import luigi
from luigi.mock import MockTarget


class First(luigi.Task):
    name = luigi.Parameter()

    def output(self):
        return MockTarget("first")

    def run(self):
        with self.output().open("w") as stream:
            stream.write(self.name)


class Second(luigi.Task):
    name = luigi.Parameter()

    def requires(self):
        return First(name=self.name)

    def output(self):
        return MockTarget("second")

    def run(self):
        with self.input().open() as stream:
            text = stream.read()
        with self.output().open("w") as stream:
            stream.write(text.upper())


secret = input()
luigi.build([Second(name=secret)], local_scheduler=True, log_level="ERROR")
text = MockTarget.fs.get_data("second")
print(text)
