// One phase each; a way that goes up and then down is two of them, joined at its turning point.
MATCH p = (s:{label} {id: $id})-[:FLOWS_TO|RETURNS_TO|SUMMARIZES|UNPACKS_TO* SHORTEST 1..20]->(t)
WHERE t.name = $to
RETURN properties(nodes(p), 'qualified_name') AS names, length(p) AS steps ORDER BY steps LIMIT 5
UNION
MATCH p = (s:{label} {id: $id})-[:FLOWS_TO|PASSES_TO|SUMMARIZES|UNPACKS_TO* SHORTEST 1..20]->(t)
WHERE t.name = $to
RETURN properties(nodes(p), 'qualified_name') AS names, length(p) AS steps ORDER BY steps LIMIT 5
