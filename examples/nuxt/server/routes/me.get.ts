export default defineEventHandler(async (event) => (await sessionOf(event)).data.person ?? null);
