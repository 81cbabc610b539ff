# with: django
import django
from django.conf import settings
settings.configure(SECRET_KEY="k", ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}])
django.setup()
from django import forms
from django.contrib.auth.models import User
from django.core.management import call_command
from django.http import HttpResponse, JsonResponse
from django.template import Context, Template
from django.test import Client
from django.urls import path


class NameForm(forms.Form):
    title = forms.CharField(max_length=100)


def hello(request, name):
    page = request.GET["page"]
    form = NameForm(request.POST)
    form.is_valid()
    title = form.cleaned_data["title"]
    agent = request.headers["X-Agent"]
    User.objects.create_user(username=name, first_name=title)
    user = User.objects.get(username=name)
    first = user.first_name
    html = Template("<b>{{ title|upper }}</b>").render(Context({"title": title}))
    return JsonResponse({"page": page, "title": title, "agent": agent, "first": first, "html": html})


urlpatterns = [path("hello/<str:name>/", hello)]
secret = input()
call_command("migrate", verbosity=0)
answer = Client().post("/hello/" + secret + "/?page=" + secret, {"title": secret}, headers={"X-Agent": secret})
data = answer.json()
print(data)
