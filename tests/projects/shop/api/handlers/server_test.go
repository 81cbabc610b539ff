package handlers

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/shop/api/events"
	"example.com/shop/api/mail"
	"example.com/shop/api/service"
	"example.com/shop/api/store"
)

const orderBody = `{
	"user_id": "u-7", "email": " Ada@Example.org ", "billing_email": "accounts@firm.example", "country": "DE",
	"birth_date": "1990-12-10", "items": [{"sku": "tea", "quantity": 2, "unit_price": 450}]
}`

func noon() time.Time {
	return time.Date(2026, 5, 2, 12, 0, 0, 0, time.UTC)
}

func newServer(s store.Store, queue io.Writer) *Server {
	publisher := events.NewPublisher(events.NewLineQueue(queue))
	return NewServer(service.NewOrders(s, publisher, mail.NewMailer(io.Discard), noon))
}

func post(server *Server, path, body string) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	server.Routes().ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
	return recorder
}

func TestAnOrderIsAnnounced(t *testing.T) {
	var queue bytes.Buffer
	recorder := post(newServer(store.NewMemory(), &queue), "/orders", orderBody)
	if recorder.Code != http.StatusCreated {
		t.Fatalf("status %d: %s", recorder.Code, recorder.Body)
	}
	var event events.OrderPlaced
	if err := json.Unmarshal(queue.Bytes(), &event); err != nil {
		t.Fatal(err)
	}
	if event.ContactEmail != "ada@example.org" || event.BillingEmail != "accounts@firm.example" {
		t.Errorf("addresses: %+v", event)
	}
	if event.Shipping != 36 || event.BirthDate != "1990-12-10" || event.Items[0].SKU != "tea" {
		t.Errorf("order: %+v", event)
	}
}

func TestAnOrderSurvivesARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "orders.jsonl")
	before, err := store.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var placed OrderResponse
	if err := json.Unmarshal(post(newServer(before, io.Discard), "/orders", orderBody).Body.Bytes(), &placed); err != nil {
		t.Fatal(err)
	}
	after, err := store.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	recorder := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodGet, "/orders/"+placed.ID, nil)
	newServer(after, io.Discard).Routes().ServeHTTP(recorder, request)
	if recorder.Code != http.StatusOK || !strings.Contains(recorder.Body.String(), `"total":900`) {
		t.Errorf("status %d: %s", recorder.Code, recorder.Body)
	}
}

func TestBadOrdersAreRefused(t *testing.T) {
	server := newServer(store.NewMemory(), io.Discard)
	for body, want := range map[string]int{
		`{`:                http.StatusBadRequest,
		`{"user_id": "u"}`: http.StatusUnprocessableEntity,
		`{"items": [{}]}`:  http.StatusUnprocessableEntity,
		`{"user_id": "u", "items": [{"quantity": 1}], "birth_date": "soon"}`: http.StatusUnprocessableEntity,
	} {
		if got := post(server, "/orders", body).Code; got != want {
			t.Errorf("%s: status %d, want %d", body, got, want)
		}
	}
}
