// Package mail writes to customers.
package mail

import (
	"fmt"
	"io"
	"os"
)

// defaultSender is who a message comes from unless SHOP_SENDER says otherwise.
const defaultSender = "orders@shop.example"

// A Mailer writes messages to out, where a delivery agent picks them up.
type Mailer struct {
	out  io.Writer
	from string
}

// NewMailer reads the sender's address from the environment.
func NewMailer(out io.Writer) *Mailer {
	email := os.Getenv("SHOP_SENDER")
	if email == "" {
		email = defaultSender
	}
	return &Mailer{out: out, from: email}
}

// Confirm tells a customer that the order has arrived; without an address there is nobody to tell.
func (m *Mailer) Confirm(to, orderID string) {
	if to == "" {
		return
	}
	m.send(to, "Your order "+orderID)
}

// Welcome greets a reader of the newsletter.
func (m *Mailer) Welcome(to string) {
	m.send(to, "Welcome to the newsletter")
}

func (m *Mailer) send(to, subject string) {
	fmt.Fprintf(m.out, "From: %s\nTo: %s\nSubject: %s\n\n", m.from, to, subject)
}
