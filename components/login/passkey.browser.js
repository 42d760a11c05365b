// Asks the browser for the passkey that a form describes and posts the credential. Without this script, the form stays
// hidden, and the page is complete without it.
(() => {
  const { PublicKeyCredential } = window;
  const needing = document.querySelectorAll("form[data-passkey], [data-scripted=passkey]");
  const unsupported = document.querySelector("[data-unscripted]");
  if (!PublicKeyCredential) {
    for (const element of needing) delete element.dataset.scripted;
    if (unsupported) delete unsupported.dataset.unscripted;
    return;
  }
  for (const element of needing) element.hidden = false;
  if (unsupported) unsupported.hidden = true;
  // Reports whether this device can store a passkey, which may then be offered after the password.
  const password = document.querySelector("form[data-tells-passkeys]");
  const told = PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable?.().then((can) => {
    // Not in the HTML, where programs that read forms out of pages would find it.
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: "passkeys", value: "1" });
    if (can) password?.append(field);
  });
  // A submission waits for the browser's result, but only briefly.
  let isWaiting = Boolean(password && told);
  const settled = Promise.race([told, new Promise((resolve) => setTimeout(resolve, 2000))])
    .catch(() => {})
    .then(() => {
      isWaiting = false;
    });
  password?.addEventListener("submit", (event) => {
    if (!isWaiting) return;
    event.preventDefault();
    settled.then(() => password.requestSubmit(event.submitter));
  });
  const form = document.querySelector("form[data-passkey]");
  if (!form) return;
  const { passkey: kind, options, autofill } = form.dataset;
  const note = document.getElementById("passkey-note");
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=+$/, "");
  const known = (list) => list?.map((item) => ({ ...item, id: bytes(item.id) }));
  const publicKey = () => {
    const wanted = JSON.parse(options);
    wanted.challenge = bytes(wanted.challenge);
    if (wanted.user) wanted.user.id = bytes(wanted.user.id);
    wanted.allowCredentials = known(wanted.allowCredentials);
    wanted.excludeCredentials = known(wanted.excludeCredentials);
    return wanted;
  };
  const json = ({ id, rawId, type, response }) => {
    const made = { clientDataJSON: text(response.clientDataJSON) };
    if (response.attestationObject) {
      made.attestationObject = text(response.attestationObject);
      made.transports = response.getTransports?.() ?? [];
    } else {
      made.authenticatorData = text(response.authenticatorData);
      made.signature = text(response.signature);
      if (response.userHandle) made.userHandle = text(response.userHandle);
    }
    return JSON.stringify({ id, rawId: text(rawId), type, response: made });
  };

  let asking;
  const ask = async (mediation) => {
    asking?.abort(); // a browser handles one request at a time
    const now = new AbortController();
    asking = now;
    if (note) note.hidden = true;
    try {
      const made = await navigator.credentials[kind]({ publicKey: publicKey(), mediation, signal: now.signal });
      form.elements.credential.value = json(made);
      HTMLFormElement.prototype.submit.call(form);
    } catch {
      // Cancelled, timed out, or no passkey: the browser does not distinguish them, and none is an error.
      if (note && !mediation && asking === now) note.hidden = false;
    }
  };

  /** Takes over what was typed in the other form of the page. @returns whether nothing is missing */
  const takeOver = () => {
    const copies = [...form.elements].filter(({ name }) => name === "givenName" || name === "familyName");
    for (const copy of copies) copy.value = document.getElementById(copy.name)?.value.trim() ?? "";
    return copies.every(({ value }) => value !== "");
  };
  form.addEventListener("submit", (event) => {
    if (!takeOver()) return; // the answer says what is missing, before a passkey is made
    event.preventDefault();
    ask();
  });
  if (autofill) {
    PublicKeyCredential.isConditionalMediationAvailable?.().then((available) => available && ask("conditional"));
  }
})();
