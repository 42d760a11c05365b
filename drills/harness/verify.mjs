// Checks after the fault that everything acknowledged still exists and that nothing works twice.
const AT_ONCE = 8;
const MOST = 400; // of each kind are checked, evenly distributed

/** @returns {Promise<{ checked: Record<string, string>, lost: string[], twice: string[] }>} */
export async function verify(load) {
  const { tokens, families, users, codes, lost, twice } = load.memory;
  const checked = {};
  const check = async (kind, all, holds, list) => {
    const chosen = spread(all);
    let held = 0;
    await several(chosen, async (one) => {
      const wrong = await holds(one);
      if (wrong === undefined) held++;
      else list.push(`${kind}: ${wrong}`);
    });
    checked[kind] = `${held} of ${chosen.length}${all.length > chosen.length ? ` (of ${all.length})` : ""}`;
  };

  await check("access tokens active", tokens, (token) => isActive(load, token), lost);
  await check("users there", users, async (id) => expected(200, await load.readUser(id)), lost);
  await check("families refresh", families, (family) => refreshes(load, family), lost);
  // The last checks: a copied token ends its family, and a repeated code ends the tokens of its exchange.
  await check("codes refused a second time", codes, async (code) => expected(400, await load.redeem(code)), twice);
  const spent = families.filter((family) => family.spent.length > 1);
  const again = async ({ spent: [first] }) => expected(400, await load.refreshWith(first));
  await check("spent refresh tokens refused", spent, again, twice);
  return { checked, lost, twice };
}

async function isActive(load, token) {
  return (await load.introspection(token)) ? undefined : "inactive";
}

async function refreshes(load, family) {
  const answer = await load.refreshWith(family.current);
  if (answer.status === 200) {
    family.spent.push(family.current);
    family.current = JSON.parse(answer.text).refresh_token;
  }
  return expected(200, answer);
}

const expected = (status, answer) =>
  answer.status === status ? undefined : `${answer.failure ?? answer.status} ${answer.text.slice(0, 120)}`;

/** Returns at most MOST of them, evenly distributed. */
function spread(all) {
  const every = Math.max(1, Math.ceil(all.length / MOST));
  return all.filter((_, index) => index % every === 0);
}

async function several(all, work) {
  const left = [...all];
  const one = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}
