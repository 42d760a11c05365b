// A limit of the machine: argon2id verifications per second with the parameters of our service (OWASP: 19 MiB, 2
// passes, 1 lane), as many in parallel as there are cores, without any other work.
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";

process.once("message", async ({ seconds }) => {
  const known = await hash("correct horse battery staple", { memoryCost: 19456, timeCost: 2, parallelism: 1 });
  const end = performance.now() + seconds * 1000;
  let count = 0;
  const verifyOn = async () => {
    for (; performance.now() < end; count++) await verify(known, "correct horse battery staple");
  };
  await Promise.all(Array.from({ length: availableParallelism() }, verifyOn));
  process.send({ rate: count / seconds });
  process.disconnect();
});
