// Package store keeps orders, in memory or in a file.
package store

import (
	"errors"

	"example.com/shop/api/model"
)

// ErrNotFound is returned when no order has the number asked for.
var ErrNotFound = errors.New("no such order")

// A Store keeps orders.
type Store interface {
	// Save keeps an order under its number.
	Save(order model.Order) error
	// Load finds an order by its number.
	Load(id string) (*model.Order, error)
}
