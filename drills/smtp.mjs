// A mail server that is down, refuses, hangs up and loses its responses, while accounts are created that are each
// mailed a code.
import { once } from "node:events";
import { SMTPServer } from "smtp-server";
import { freePort } from "../scripts/free-port.mjs";
import { createLoad } from "./harness/load.mjs";
import { clients } from "./harness/pace.mjs";
import { injected, must, say, sayCounts, sayVerified } from "./harness/report.mjs";
import { atEnd, createNode, sleep } from "./harness/service.mjs";
import { verify } from "./harness/verify.mjs";

export const summary = "a mail server that is down, refuses, hangs up and loses its answers; takes up to 6 minutes";

/** The faults of the server, three seconds each. */
const FAULTS = ["down", "refuses with 451", "hangs up in the mail", "takes the mail and hangs up"];
/** Milliseconds until every email must have arrived: the service waits longer after each failure. */
const PATIENCE = 300_000;

export async function drill() {
  const mails = await startMailServer();
  const node = await createNode({ env: { SMTP_URL: `smtp://127.0.0.1:${mails.port}` } });
  await node.start();
  const load = createLoad(node.url);
  const running = clients(load, { amount: 2, mix: ["mailed"], pause: 100 });
  for (const fault of FAULTS) {
    mails.fault = fault;
    injected(`the mail server is this: ${fault}`);
    await sleep(3_000);
  }
  await running.stop();
  mails.fault = undefined;
  injected("the mail server is well again");
  const startedAt = Date.now();
  const missing = () => load.memory.mailed.filter((address) => !mails.taken.has(address));
  while (missing().length > 0 && Date.now() - startedAt < PATIENCE) await sleep(500);
  injected(`the last mail came ${((Date.now() - startedAt) / 1000).toFixed(0)} s later`);

  const failed = sayCounts(load);
  const twice = [...mails.taken.values()].filter((times) => times > 1).length;
  say(`${load.memory.mailed.length} mails were due, ${missing().length} did not come, ${twice} came twice`);
  must("no request failed", failed === 0);
  must("every mail came", missing().length === 0);
  must("only what was taken without an answer came twice", twice <= mails.unanswered);
  sayVerified(await verify(load));
}

async function startMailServer() {
  const port = await freePort();
  const state = { port, fault: "down", taken: new Map(), unanswered: 0 };
  const later = () => Object.assign(new Error("later"), { responseCode: 451 });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    onConnect(session, done) {
      if (state.fault === "down") connectionOf(session)?.destroy();
      done(state.fault === "down" ? later() : undefined);
    },
    onRcptTo(_address, _session, done) {
      done(state.fault === "refuses with 451" ? later() : undefined);
    },
    onData(stream, session, done) {
      const { fault } = state;
      if (fault === "hangs up in the mail") return connectionOf(session)?.destroy();
      stream.resume();
      stream.once("end", () => {
        for (const { address } of session.envelope.rcptTo)
          state.taken.set(address, (state.taken.get(address) ?? 0) + 1);
        if (fault !== "takes the mail and hangs up") return done();
        state.unanswered++;
        connectionOf(session)?.destroy();
      });
    },
  });
  /** Returns the socket of a session, which the package does not expose. */
  const connectionOf = ({ id }) => [...server.connections].find((one) => one.id === id)?._socket;
  server.on("error", () => {}); // connections that the drill cuts
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  atEnd(() => new Promise((resolve) => server.close(resolve)));
  return state;
}
