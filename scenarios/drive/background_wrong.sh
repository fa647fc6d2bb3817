# Wrong: what fails in the background is tried once, and nobody learns of it.
deliver() {
  curl -sf -d '{"item": "book"}' -H 'Content-Type: application/json' "$ORDERS/orders" -o /dev/null
}

deliver &
echo "your order is on its way"
while :; do sleep 1; done # and serves other customers
