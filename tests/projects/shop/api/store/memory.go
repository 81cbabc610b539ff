package store

import (
	"sync"

	"example.com/shop/api/model"
)

// Memory is a Store that forgets everything when the program ends.
type Memory struct {
	mu     sync.RWMutex
	orders map[string]model.Order
}

// NewMemory is an empty store.
func NewMemory() *Memory {
	return &Memory{orders: make(map[string]model.Order)}
}

// Save implements Store.
func (m *Memory) Save(order model.Order) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.orders[order.ID] = order
	return nil
}

// Load implements Store.
func (m *Memory) Load(id string) (*model.Order, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	order, ok := m.orders[id]
	if !ok {
		return nil, ErrNotFound
	}
	return &order, nil
}
