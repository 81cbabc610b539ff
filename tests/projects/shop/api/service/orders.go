// Package service holds the shop's rules.
package service

import (
	"fmt"
	"strings"
	"time"

	"example.com/shop/api/events"
	"example.com/shop/api/mail"
	"example.com/shop/api/model"
	"example.com/shop/api/store"
)

// shippingPercent is what sending a parcel costs, in percent of what is in it.
var shippingPercent = map[string]int64{"DE": 4, "FR": 6, "CH": 9}

// elsewherePercent is the same for all other countries.
const elsewherePercent = 12

// Orders takes orders, keeps them and announces them.
type Orders struct {
	store     store.Store
	publisher *events.Publisher
	mailer    *mail.Mailer
	now       func() time.Time
	placed    int
}

// NewOrders puts the parts together; now tells the time.
func NewOrders(s store.Store, publisher *events.Publisher, mailer *mail.Mailer, now func() time.Time) *Orders {
	return &Orders{store: s, publisher: publisher, mailer: mailer, now: now}
}

// Place completes an order, keeps it, announces it and confirms it by mail.
func (o *Orders) Place(order model.Order) (*model.Order, error) {
	o.placed++
	order.PlacedAt = o.now().UTC()
	order.ID = fmt.Sprintf("%d-%d", order.PlacedAt.Unix(), o.placed)
	order.Email = tidyAddress(order.Email)
	order.BillingEmail = tidyAddress(order.BillingEmail)
	order.Shipping = shippingCost(order.Country, order.Total())

	if err := o.store.Save(order); err != nil {
		return nil, fmt.Errorf("save order %s: %w", order.ID, err)
	}
	if err := o.publisher.Publish(events.FromOrder(order)); err != nil {
		return nil, fmt.Errorf("announce order %s: %w", order.ID, err)
	}
	o.mailer.Confirm(order.Email, order.ID)
	return &order, nil
}

// Find looks an order up by its number.
func (o *Orders) Find(id string) (*model.Order, error) {
	return o.store.Load(id)
}

// Subscribe welcomes a reader of the newsletter.
func (o *Orders) Subscribe(address string) {
	o.mailer.Welcome(tidyAddress(address))
}

func tidyAddress(address string) string {
	return strings.ToLower(strings.TrimSpace(address))
}

func shippingCost(country string, subtotal int64) int64 {
	percent, known := shippingPercent[country]
	if !known {
		percent = elsewherePercent
	}
	return subtotal * percent / 100
}
