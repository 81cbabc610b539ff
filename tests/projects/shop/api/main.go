// Command api takes orders over HTTP and announces each one to the feature pipeline.
package main

import (
	"flag"
	"log"
	"net/http"
	"os"
	"time"

	"example.com/shop/api/events"
	"example.com/shop/api/handlers"
	"example.com/shop/api/mail"
	"example.com/shop/api/service"
	"example.com/shop/api/store"
)

func main() {
	address := flag.String("listen", "127.0.0.1:8080", "address to listen on")
	database := flag.String("database", "", "file that keeps the orders; without one they live in memory")
	queue := flag.String("queue", "events.jsonl", "file that the events are appended to")
	flag.Parse()

	orders, err := openStore(*database)
	if err != nil {
		log.Fatal(err)
	}
	sink, err := os.OpenFile(*queue, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		log.Fatal(err)
	}
	defer sink.Close()

	mailer := mail.NewMailer(os.Stdout)
	publisher := events.NewPublisher(events.NewLineQueue(sink))
	shop := service.NewOrders(orders, publisher, mailer, time.Now)
	server := handlers.NewServer(shop)
	log.Printf("listening on %s", *address)
	log.Fatal(http.ListenAndServe(*address, server.Routes()))
}

func openStore(path string) (store.Store, error) {
	if path == "" {
		return store.NewMemory(), nil
	}
	return store.OpenFile(path)
}
