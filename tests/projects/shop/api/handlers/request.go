package handlers

import (
	"errors"
	"fmt"
	"time"

	"example.com/shop/api/model"
)

// dateLayout is how dates without a time are written on the wire.
const dateLayout = "2006-01-02"

// An OrderRequest is the body of POST /orders.
type OrderRequest struct {
	UserID       string        `json:"user_id"`
	Email        string        `json:"email"`
	BillingEmail string        `json:"billing_email,omitempty"`
	Country      string        `json:"country"`
	BirthDate    string        `json:"birth_date"`
	Items        []ItemRequest `json:"items"`
}

// An ItemRequest is one line of an OrderRequest.
type ItemRequest struct {
	SKU       string `json:"sku"`
	Quantity  int    `json:"quantity"`
	UnitPrice int64  `json:"unit_price"`
}

// A SubscribeRequest is the body of POST /newsletter.
type SubscribeRequest struct {
	Email string `json:"email"`
}

// An OrderResponse is what a client gets to see of an order.
type OrderResponse struct {
	ID       string `json:"id"`
	Total    int64  `json:"total"`
	Shipping int64  `json:"shipping"`
	Country  string `json:"country"`
}

var errNoItems = errors.New("an order needs at least one item")

// validate says what is wrong with a request before anything is done with it.
func (r *OrderRequest) validate() error {
	if r.UserID == "" {
		return errors.New("user_id is missing")
	}
	if len(r.Items) == 0 {
		return errNoItems
	}
	for _, item := range r.Items {
		if item.Quantity < 1 {
			return fmt.Errorf("%s: quantity must be at least 1", item.SKU)
		}
	}
	return nil
}

// toOrder turns the wire's words into the shop's.
func (r *OrderRequest) toOrder() (model.Order, error) {
	order := model.Order{
		UserID:       r.UserID,
		Email:        r.Email,
		BillingEmail: r.BillingEmail,
		Country:      r.Country,
	}
	birth, err := time.Parse(dateLayout, r.BirthDate)
	if err != nil {
		return model.Order{}, fmt.Errorf("birth_date: %w", err)
	}
	order.BirthDate = birth
	for _, item := range r.Items {
		order.Items = append(order.Items, item.toItem())
	}
	return order, nil
}

func (i ItemRequest) toItem() model.Item {
	return model.Item{SKU: i.SKU, Quantity: i.Quantity, UnitPrice: i.UnitPrice}
}

func toResponse(order *model.Order) OrderResponse {
	return OrderResponse{
		ID:       order.ID,
		Total:    order.Total(),
		Shipping: order.Shipping,
		Country:  order.Country,
	}
}
