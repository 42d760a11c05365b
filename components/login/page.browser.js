// Enhancements of a page if scripts run: passwords can be shown and are rated, Caps Lock is detected, a form is sent
// once, codes are copied and printed. Nothing is fetched, and every page is complete without it.
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];

  // Keyboard rows, or consecutive letters and digits, forwards or backwards.
  const rows = ["1234567890", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm"];
  const isStep = (a, b) =>
    a === b ||
    Math.abs(a.codePointAt(0) - b.codePointAt(0)) === 1 ||
    rows.some((row) => row.includes(a) && row.includes(b) && Math.abs(row.indexOf(a) - row.indexOf(b)) === 1);
  /** Estimates the number of characters that an attacker who knows common habits has to guess. */
  const guesses = (password, names) => {
    let rest = password.normalize("NFKC").toLowerCase();
    for (const name of names) rest = rest.split(name).join(name[0]);
    const characters = [...rest];
    const steps = characters.filter((character, at) => at > 0 && isStep(characters[at - 1], character)).length;
    return Math.min(characters.length - steps, 2 * new Set(characters).size);
  };
  const namesIn = (form) =>
    [...form.elements]
      .filter(({ type, value }) => (type === "text" || type === "email") && value)
      .flatMap(({ value }) =>
        value
          .normalize("NFKC")
          .toLowerCase()
          .split(/[^\p{L}\p{N}]+/u),
      )
      .filter((name) => name.length > 3);

  for (const button of all(".reveal")) {
    const field = document.getElementById(button.getAttribute("aria-controls"));
    const note = document.getElementById(`${field.id}-advice`);
    const { caps, minimum, ...words } = note.dataset;
    const show = button.textContent;
    const setShown = (shown) => {
      field.type = shown ? "text" : "password";
      button.textContent = shown ? button.dataset.hide : show;
      button.setAttribute("aria-pressed", String(shown));
    };
    button.addEventListener("click", () => setShown(field.type === "password"));
    field.form.addEventListener("submit", () => setShown(false));
    button.hidden = false;

    let hasCaps = false;
    let timer;
    const judge = () => {
      const worth = guesses(field.value, namesIn(field.form));
      if (worth < 10 || [...field.value].length < minimum) return words.easy;
      return worth < 16 ? words.fair : words.hard;
    };
    const tell = () => {
      const text = hasCaps ? caps : minimum && field.value ? judge() : "";
      if (note.textContent !== text) note.textContent = text;
    };
    const noticeCaps = (event) => {
      const now = Boolean(event.getModifierState?.("CapsLock"));
      if (now === hasCaps) return;
      hasCaps = now;
      tell();
    };
    field.addEventListener("keydown", noticeCaps);
    field.addEventListener("keyup", noticeCaps);
    field.addEventListener("blur", () => {
      hasCaps = false;
      tell();
    });
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(tell, 500);
    });
  }

  // A form is sent once. After a while it can be sent again, because the response may open another app.
  const release = (form) => {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("[aria-disabled]")) button.removeAttribute("aria-disabled");
  };
  addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    setTimeout(() => form.dataset.sent && event.submitter?.setAttribute("aria-disabled", "true"), 150);
    setTimeout(release, 10000, form);
  });
  addEventListener("pageshow", (event) => event.persisted && all("[data-sent]").forEach(release));

  for (const button of all("[data-copy]")) {
    if (!navigator.clipboard) {
      delete button.dataset.scripted;
      continue;
    }
    const label = button.textContent;
    const setLabel = (text) => {
      button.textContent = text;
    };
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      setLabel(button.dataset.copied);
      setTimeout(setLabel, 3000, label);
    });
    button.hidden = false;
  }
  for (const button of all("[data-print]")) {
    button.addEventListener("click", () => print());
    button.hidden = false;
  }
})();
