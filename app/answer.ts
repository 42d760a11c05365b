// The handler of every address that the application answers. The groups of addresses re-export it under each method of
// HTTP that Next knows; what an address means is decided by the application alone.
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
