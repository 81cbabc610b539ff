// Package events announces what happened in the shop to whoever listens: first of all, the feature pipeline.
package events

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"example.com/shop/api/model"
)

// An OrderPlaced event; its JSON keys are a contract with the pipeline.
type OrderPlaced struct {
	Type         string `json:"type"`
	OrderID      string `json:"order_id"`
	UserID       string `json:"user_id"`
	ContactEmail string `json:"contact_email"`
	BillingEmail string `json:"billing_email,omitempty"`
	Country      string `json:"country"`
	BirthDate    string `json:"birth_date"`
	Items        []Line `json:"items"`
	Shipping     int64  `json:"shipping"`
	PlacedAt     string `json:"placed_at"`
}

// A Line is one item of an order.
type Line struct {
	SKU       string `json:"sku"`
	Quantity  int    `json:"quantity"`
	UnitPrice int64  `json:"unit_price"`
}

// FromOrder tells what there is to tell about an order.
func FromOrder(order model.Order) OrderPlaced {
	event := OrderPlaced{
		Type:         "order_placed",
		OrderID:      order.ID,
		UserID:       order.UserID,
		ContactEmail: order.Email,
		BillingEmail: order.BillingEmail,
		Country:      order.Country,
		BirthDate:    order.BirthDate.Format("2006-01-02"),
		Shipping:     order.Shipping,
		PlacedAt:     order.PlacedAt.Format(time.RFC3339),
	}
	for _, item := range order.Items {
		event.Items = append(event.Items, Line(item))
	}
	return event
}

// A Queue takes messages and hands them on in order.
type Queue interface {
	Send(message []byte) error
}

// A Publisher writes events to a queue.
type Publisher struct {
	queue Queue
}

// NewPublisher announces on the given queue.
func NewPublisher(queue Queue) *Publisher {
	return &Publisher{queue: queue}
}

// Publish announces one event.
func (p *Publisher) Publish(event OrderPlaced) error {
	message, err := json.Marshal(event)
	if err != nil {
		return fmt.Errorf("encode %s: %w", event.Type, err)
	}
	return p.queue.Send(message)
}

// LineQueue is a Queue that writes one message per line.
type LineQueue struct {
	out io.Writer
}

// NewLineQueue writes to out.
func NewLineQueue(out io.Writer) *LineQueue {
	return &LineQueue{out: out}
}

// Send implements Queue.
func (q *LineQueue) Send(message []byte) error {
	_, err := fmt.Fprintf(q.out, "%s\n", message)
	return err
}
