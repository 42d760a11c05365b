// The handler of every address that the application serves. Each route file re-exports it under the HTTP methods that
// Next.js knows; the application alone does the routing.
import { runningService } from "../server/service/service";

const answer = (request: Request): Promise<Response> => runningService().fetch(request);

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
