# Takes an order, and sends it on in the background until that works.
deliver() {
  until curl -sf -d '{"item": "book"}' -H 'Content-Type: application/json' "$ORDERS/orders" -o /dev/null; do
    sleep 0.1
  done
}

deliver &
echo "your order is on its way"
while :; do sleep 1; done # and serves other customers
