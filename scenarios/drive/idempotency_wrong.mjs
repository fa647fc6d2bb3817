// Wrong: each attempt has a key of its own, so a lost answer is a second charge.
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

async function charge(item) {
  for (let attempt = 1; attempt <= 4; attempt++) {
    try {
      const answer = await fetch(process.env.PAYMENTS + "/charges", {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": randomUUID() },
        body: JSON.stringify({ item }),
      });
      if (answer.ok) return (await answer.json()).id;
    } catch {
      // The answer is lost; the charge may have been made.
    }
    await wait(50);
  }
  throw new Error(`${item} is not charged`);
}

for (const item of process.argv.slice(2)) console.log(await charge(item));
