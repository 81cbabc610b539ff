// Package model holds what the shop talks about, free of wire formats.
package model

import "time"

// An Order is what a customer bought, and how to reach them about it.
type Order struct {
	ID           string
	UserID       string
	Email        string
	BillingEmail string
	Country      string
	BirthDate    time.Time
	Items        []Item
	Shipping     int64
	PlacedAt     time.Time
}

// An Item is one line of an order; prices are in cents.
type Item struct {
	SKU       string
	Quantity  int
	UnitPrice int64
}

// Total is what the items of the order cost, shipping not included.
func (o *Order) Total() int64 {
	var total int64
	for _, item := range o.Items {
		total += item.Cost()
	}
	return total
}

// Cost is the price of the whole line.
func (i Item) Cost() int64 {
	return i.UnitPrice * int64(i.Quantity)
}
