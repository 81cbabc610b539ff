# with: icalendar
from icalendar import Calendar, Event
secret = input()
event = Event()
event.add("summary", secret)
calendar = Calendar()
calendar.add_component(event)
out = calendar.to_ical()
print(out)
back = Calendar.from_ical(out)
for part in back.walk("VEVENT"):
    summary = part["SUMMARY"]
    print(summary)
