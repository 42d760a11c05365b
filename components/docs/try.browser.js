// Forms to try the operations of an area. The reader's token stays in this page's memory, in a field that is not
// stored, and is sent to this origin only, which the page's CSP also enforces (connect-src). Without this script, the
// page is complete.
(() => {
  const place = document.getElementById("try");
  if (!place) return;

  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  let fields = 0;
  // A field with its label.
  const field = (text, tag, properties) => {
    const control = make(tag, { id: `field-${++fields}`, spellcheck: false, autocomplete: "off", ...properties });
    return [control, make("label", { htmlFor: control.id, textContent: text }), control];
  };

  const [token, ...tokenField] = field("Your access token, to try operations", "input", { type: "password" });
  place.append(
    ...tokenField,
    make("p", {
      className: "note",
      textContent:
        "It stays in this page until you leave it, and is sent to this service alone. What you send is really done.",
    }),
  );

  for (const operation of document.querySelectorAll(".operation")) {
    const { method, path, body } = operation.dataset;
    const samples = operation.querySelector(".samples");
    const open = make("button", { type: "button", textContent: "Try it" });
    open.setAttribute("aria-label", `Try it: ${operation.querySelector("h2").textContent}`);
    open.addEventListener("click", () => open.replaceWith(formOf(method, path, body)));
    samples.append(open);
  }

  function formOf(method, path, body) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parts = names.map((name) => [name, ...field(name, "input", { type: "text" })]);
    const [query, ...queryField] = field("Query, as in limit=10", "input", { type: "text" });
    const [organization, ...organizationField] = field("x-service-orgid", "input", { type: "text" });
    const [text, ...textField] = field("Body", "textarea", { value: body ?? "" });
    const status = make("p", {});
    status.setAttribute("role", "status");
    const answer = make("div", { className: "answer" });
    const send = make("button", { type: "submit", textContent: `Send ${method}` });
    const form = make(
      "form",
      { className: "tried", noValidate: true },
      ...parts.flatMap(([, , ...shown]) => shown),
      ...queryField,
      ...organizationField,
      ...(body === undefined ? [] : textField),
      send,
      status,
      answer,
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      answer.replaceChildren();
      if (token.value.trim() === "") {
        status.textContent = "Enter your access token at the top of the page.";
        token.focus();
        return;
      }
      const empty = parts.find(([, control]) => control.value.trim() === "");
      if (empty) {
        status.textContent = `Enter ${empty[0]}.`;
        empty[1].focus();
        return;
      }
      const filled = parts.reduce(
        (address, [name, control]) => address.replace(`{${name}}`, () => encodeURIComponent(control.value.trim())),
        path,
      );
      const headers = { authorization: `Bearer ${token.value.trim()}` };
      if (organization.value !== "") headers["x-service-orgid"] = organization.value.trim();
      if (body !== undefined) headers["content-type"] = "application/json";
      send.disabled = true;
      status.textContent = "Sending …";
      try {
        const response = await fetch(filled + (query.value === "" ? "" : `?${query.value.replace(/^\?/, "")}`), {
          method,
          headers,
          ...(body !== undefined && { body: text.value }),
          cache: "no-store",
          credentials: "omit",
          redirect: "error",
          signal: AbortSignal.timeout(30000),
        });
        const received = await response.text();
        status.textContent = `Answer ${response.status}`;
        const shown = make("pre", { tabIndex: 0, textContent: readable(received) });
        answer.append(shown);
      } catch {
        status.textContent = "No answer came. Check the connection and what you entered, and send it again.";
      } finally {
        send.disabled = false;
      }
    });
    queueMicrotask(() => form.querySelector("input, textarea").focus());
    return form;
  }

  function readable(text) {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }
})();
