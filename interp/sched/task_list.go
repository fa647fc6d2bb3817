package sched

import (
	"slices"
	"strings"
)

// A taskList holds the live tasks in the order they were made.
type taskList struct {
	first, last *Task
	len         int
}

func (l *taskList) add(t *Task) {
	t.prev = l.last
	if l.last == nil {
		l.first = t
	} else {
		l.last.after = t
	}
	l.last = t
	l.len++
}

func (l *taskList) remove(t *Task) {
	if t.prev == nil {
		l.first = t.after
	} else {
		t.prev.after = t.after
	}
	if t.after == nil {
		l.last = t.prev
	} else {
		t.after.prev = t.prev
	}
	t.prev, t.after = nil, nil
	l.len--
}

// sorted returns the tasks by owner order, then in the order they were made.
func (l *taskList) sorted() []*Task {
	tasks := make([]*Task, 0, l.len)
	for t := l.first; t != nil; t = t.after {
		tasks = append(tasks, t)
	}
	slices.SortStableFunc(tasks, func(a, b *Task) int {
		switch {
		case a.order < b.order:
			return -1
		case a.order > b.order:
			return 1
		}
		return 0
	})
	return tasks
}

// names lists tasks for a message.
func names(tasks []*Task) string {
	var list []string
	for _, t := range tasks {
		name := t.name
		if t.done {
			name += " (ended)"
		}
		list = append(list, name)
	}
	return strings.Join(list, ", ")
}

// without removes the first occurrence of t and keeps the order.
func without(tasks []*Task, t *Task) []*Task {
	if i := slices.Index(tasks, t); i >= 0 {
		return slices.Delete(tasks, i, i+1)
	}
	return tasks
}
