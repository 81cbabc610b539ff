//! What comes from where nobody looks: structures that frameworks fill, rows that models stand for, envelopes, objects that libraries get.
//!
//! ```go
//! type NewOrder struct { Quantity int `json:"quantity"` }
//! func (r *resolver) Order(in NewOrder) int { return in.Quantity * 2 }      // `impact key:quantity` names `Order`, though nobody here decodes it
//! ```

use crate::verdicts::{ask, folder, is_complete, names};

const MODULE: (&str, &str) = ("go.mod", "module shop\n\ngo 1.24\n");

#[test]
fn structures_that_a_framework_fills_are_read_from_their_keys() {
    let (_folder, reader) = folder([
        MODULE,
        (
            "main.go",
            r#"package main

type NewOrder struct {
    Quantity int `json:"quantity"`
}

type Total struct {
    Sum int `json:"sum"`
}

type resolver struct{}

func (r *resolver) Order(in NewOrder) int { return in.Quantity * 2 }

func double(total Total) int { return total.Sum * 2 }

func main() { println(double(Total{Sum: 3})) }
"#,
        ),
        (
            "main_test.go",
            "package main\n\nimport \"testing\"\n\nfunc TestOrder(t *testing.T) {\n\tprintln((&resolver{}).Order(NewOrder{Quantity: 1}))\n}\n",
        ),
    ]);
    assert!(names(&ask(&reader, "impact", "key:quantity", false)).contains("Order"));
    // What is made here is made of that alone.
    assert!(!names(&ask(&reader, "impact", "key:sum", false)).contains("double"));
}

#[test]
fn what_is_mended_in_such_a_structure_is_no_reason_to_think_that_it_was_filled_here() {
    let (_folder, reader) = folder([
        MODULE,
        (
            "main.go",
            r#"package main

type NewOrder struct {
    Body struct {
        Quantity int `json:"quantity"`
    }
}

type Reading struct {
    Heat float64 `json:"heat"`
}

func (r *Reading) Reset() { *r = Reading{} }

type Made struct {
    Sum int `json:"sum"`
}

type resolver struct{}

func (r *resolver) Order(in *NewOrder) int {
    if in.Body.Quantity == 0 {
        in.Body.Quantity = 1
    }
    return in.Body.Quantity * 2
}

func (r *resolver) Read(in *Reading) float64 {
    in.Heat = min(in.Heat, 200)
    return in.Heat * 2
}

func (r *resolver) Sum(in *Made) int { return in.Sum * 2 }

func main() {
    made := &Made{}
    made.Sum = 3
    println((&resolver{}).Sum(made))
}
"#,
        ),
    ]);
    assert!(names(&ask(&reader, "impact", "key:quantity", false)).contains("Order"));
    assert!(names(&ask(&reader, "impact", "key:heat", false)).contains("Read"));
    assert!(!names(&ask(&reader, "impact", "key:sum", false)).contains("Sum"));
}

#[test]
fn generic_handlers_decode_what_the_function_takes_that_they_are_given() {
    let (_folder, reader) = folder([
        MODULE,
        (
            "main.go",
            r#"package main

import (
    "encoding/json"
    "net/http"
)

type Order struct {
    Quantity int `json:"quantity"`
}

type Note struct {
    Text string `json:"text"`
}

func score(order *Order) int { return order.Quantity * 2 }

func length(note Note) int { return len(note.Text) }

func pointed[T any](next func(*T) int) http.HandlerFunc {
    return func(w http.ResponseWriter, r *http.Request) {
        in := new(T)
        if json.NewDecoder(r.Body).Decode(in) == nil {
            json.NewEncoder(w).Encode(next(in))
        }
    }
}

func valued[T any](next func(T) int) http.HandlerFunc {
    return func(w http.ResponseWriter, r *http.Request) {
        var body T
        if json.NewDecoder(r.Body).Decode(&body) == nil {
            json.NewEncoder(w).Encode(next(body))
        }
    }
}

func main() {
    http.Handle("/orders", pointed(score))
    http.Handle("/notes", valued[Note](length))
}
"#,
        ),
    ]);
    let changed = |key: &str| {
        let answer = ask(&reader, "impact", key, false);
        ["score", "length"].map(|name| names(&answer).contains(name))
    };
    assert_eq!(changed("key:quantity"), [true, false]);
    assert_eq!(changed("key:text"), [false, true]);
}

#[test]
fn an_envelope_keeps_the_keys_of_what_it_carries() {
    let (_folder, reader) = folder([
        MODULE,
        (
            "main.go",
            r#"package main

import (
    "encoding/json"
    "net/http"
    "os"
)

type Envelope struct {
    Type    string          `json:"type"`
    Payload json.RawMessage `json:"payload"`
}

type Trip struct {
    Meters float64 `json:"meters"`
    Night  bool    `json:"night"`
}

func emit(file *os.File, kind string, body any) {
    raw, _ := json.Marshal(body)
    whole, _ := json.Marshal(Envelope{Type: kind, Payload: raw})
    file.Write(whole)
}

func main() {
    file, _ := os.Create("/data/trips.jsonl")
    http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
        var trip Trip
        if json.NewDecoder(r.Body).Decode(&trip) == nil {
            emit(file, "trip", Trip{Meters: trip.Meters, Night: trip.Night})
        }
    })
}
"#,
        ),
        (
            "read.py",
            r#"import json


def long_trip(row):
    return row["meters"] > 20_000


def dark(row):
    return int(row["night"])


for line in open("/data/trips.jsonl"):
    event = json.loads(line)
    print(long_trip(event["payload"]), dark(event["payload"]))
"#,
        ),
    ]);
    let changed = |key: &str| {
        let answer = ask(&reader, "impact", key, false);
        is_complete(&answer);
        ["long_trip", "dark"].map(|name| names(&answer).contains(name))
    };
    assert_eq!(changed("key:meters"), [true, false]);
    assert_eq!(changed("key:night"), [false, true]);
}

#[test]
fn serializers_join_keys_and_the_fields_of_models() {
    let (_folder, reader) = folder([(
        "app.py",
        r#"from django.db import models
from rest_framework import serializers


class Visit(models.Model):
    triage = models.CharField(max_length=1)
    ward = models.CharField(max_length=9)
    seen = models.DateTimeField()


class VisitSerializer(serializers.ModelSerializer):
    triageLevel = serializers.CharField(source="triage")

    class Meta:
        model = Visit
        fields = ("triageLevel", "ward")


class Plain(serializers.Serializer):
    seen = serializers.DateTimeField()

    def create(self, validated_data):
        return Visit.objects.create(**validated_data)


def urgent(visit):
    return visit.triage == "A"


def place(visit):
    return visit.ward[0]


def hour(visit):
    return visit.seen.hour


def rows():
    return [(urgent(visit), place(visit), hour(visit)) for visit in Visit.objects.all()]
"#,
    )]);
    let changed = |key: &str| {
        let answer = ask(&reader, "impact", key, false);
        ["urgent", "place", "hour"].map(|name| names(&answer).contains(name))
    };
    assert_eq!(changed("key:triageLevel"), [true, false, false]);
    assert_eq!(changed("key:ward"), [false, true, false]);
    assert_eq!(changed("key:seen"), [false, false, true]);
}

#[test]
fn what_is_counted_and_given_back_depends_on_what_is_tested() {
    let (_folder, reader) = folder([
        (
            "app.py",
            r#"from flask import request


def level(doc):
    high, need = 0, 100
    while doc["points"] >= need:
        high += 1
        need *= 2
    return high


def yearly(doc):
    if doc["per"] == "month":
        return doc["rent"] * 12
    return doc["rent"]


def view():
    doc = request.get_json()
    return {"high": level(doc), "cost": yearly(doc)}
"#,
        ),
        MODULE,
        (
            "main.go",
            r#"package main

import (
    "encoding/json"
    "net/http"
)

type Out struct {
    Promoted bool
    Listed   bool
}

func main() {
    http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
        body := map[string]any{}
        if json.NewDecoder(r.Body).Decode(&body) == nil {
            out := Out{Listed: r.URL.Query().Has("list")}
            if _, ok := body["promo"]; ok {
                out.Promoted = true
            }
            json.NewEncoder(w).Encode(out)
        }
    })
}
"#,
        ),
    ]);
    let changed = |key: &str| {
        let answer = ask(&reader, "impact", key, false);
        ["level", "yearly", "Promoted", "Listed"].map(|name| names(&answer).contains(name))
    };
    assert_eq!(changed("key:points"), [true, false, false, false]);
    assert_eq!(changed("key:per"), [false, true, false, false]);
    assert_eq!(changed("key:promo"), [false, false, true, false]);
    assert_eq!(changed("key:list"), [false, false, false, true]);
}

#[test]
fn what_libraries_get_as_results_they_may_call() {
    let (_folder, reader) = folder([
        MODULE,
        (
            "main.go",
            r#"package main

import (
    "database/sql"
    "database/sql/driver"

    "example.org/search/index"
)

type drv struct{}
type conn struct{}

func (drv) Open(name string) (driver.Conn, error)     { return &conn{}, nil }
func (c *conn) Prepare(text string) (driver.Stmt, error) { return nil, nil }

type searcher interface{ Next() int }
type term struct{}

func (t *term) Next() int         { return 0 }
func (t *term) Optimize() string  { return "" }

func run(all []searcher) {
    for _, one := range all {
        if better, ok := one.(index.Optimizable); ok {
            println(better.Optimize())
        }
    }
}

func main() {
    sql.Register("x", drv{})
    run([]searcher{&term{}})
}
"#,
        ),
    ]);
    let prepared = ask(&reader, "callers", "conn.Prepare", false);
    assert!(!matches!(
        prepared.verdict.level,
        ripple_query_api::view::VerdictLevel::Complete
    ));
    assert!(names(&ask(&reader, "callers", "term.Optimize", false)).contains("run"));
}
