// Package handlers speaks HTTP and JSON, so that nothing behind it has to.
package handlers

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"example.com/shop/api/service"
	"example.com/shop/api/store"
)

// bodyLimit is the most that is read of a request's body, in bytes.
const bodyLimit = 1 << 20

// A Server answers the shop's requests.
type Server struct {
	orders *service.Orders
}

// NewServer serves the given orders.
func NewServer(orders *service.Orders) *Server {
	return &Server{orders: orders}
}

// Routes are the paths that the server answers.
func (s *Server) Routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/orders", only(http.MethodPost, s.CreateOrder))
	mux.HandleFunc("/orders/", only(http.MethodGet, s.GetOrder))
	mux.HandleFunc("/newsletter", only(http.MethodPost, s.Subscribe))
	return mux
}

// CreateOrder takes an order.
func (s *Server) CreateOrder(w http.ResponseWriter, r *http.Request) {
	var request OrderRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, bodyLimit)).Decode(&request); err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	if err := request.validate(); err != nil {
		refuse(w, http.StatusUnprocessableEntity, err)
		return
	}
	order, err := request.toOrder()
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err)
		return
	}
	placed, err := s.orders.Place(order)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err)
		return
	}
	reply(w, http.StatusCreated, toResponse(placed))
}

// GetOrder shows one order.
func (s *Server) GetOrder(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimPrefix(r.URL.Path, "/orders/")
	order, err := s.orders.Find(id)
	if errors.Is(err, store.ErrNotFound) {
		refuse(w, http.StatusNotFound, err)
		return
	}
	if err != nil {
		refuse(w, http.StatusInternalServerError, err)
		return
	}
	reply(w, http.StatusOK, toResponse(order))
}

// Subscribe puts an address on the newsletter's list.
func (s *Server) Subscribe(w http.ResponseWriter, r *http.Request) {
	var request SubscribeRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, bodyLimit)).Decode(&request); err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	s.orders.Subscribe(request.Email)
	w.WriteHeader(http.StatusAccepted)
}

// only lets one method through to the handler.
func only(method string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method {
			w.Header().Set("Allow", method)
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		next(w, r)
	}
}

func reply(w http.ResponseWriter, status int, body interface{}) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func refuse(w http.ResponseWriter, status int, err error) {
	reply(w, status, map[string]string{"error": err.Error()})
}
