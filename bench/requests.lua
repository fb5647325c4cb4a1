-- Sends the request bodies of a file in turn, one a line, and prints what became of them.
local bodies, number = {}, 0
for line in io.lines(os.getenv("BENCH_BODIES")) do
  bodies[#bodies + 1] = line
end

local headers = { ["Content-Type"] = "application/json", ["Accept"] = "application/json" }

function request()
  number = number % #bodies + 1
  return wrk.format("POST", "/graphql", headers, bodies[number])
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("\nRESULT %d %d %d\n", summary.requests, summary.duration, failed))
end
