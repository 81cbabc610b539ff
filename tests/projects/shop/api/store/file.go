package store

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"example.com/shop/api/model"
)

// File is a Store that appends every order to a file and reads it back at the start.
type File struct {
	*Memory
	file *os.File
}

// OpenFile reads the orders kept at path, which is made if need be.
func OpenFile(path string) (*File, error) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	memory := NewMemory()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var order model.Order
		if err := json.Unmarshal(lines.Bytes(), &order); err != nil {
			return nil, fmt.Errorf("read store: %w", err)
		}
		if err := memory.Save(order); err != nil {
			return nil, err
		}
	}
	return &File{Memory: memory, file: file}, lines.Err()
}

// Save implements Store: first the file, then the memory.
func (f *File) Save(order model.Order) error {
	line, err := json.Marshal(order)
	if err != nil {
		return err
	}
	if _, err := f.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return f.Memory.Save(order)
}
