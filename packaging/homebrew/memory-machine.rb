# A formula for a tap. VERSION's archive of sources and its hash are those of the release:
#   UMM_SOURCE=file:///…/memory-machine.tar.gz UMM_SHA256=… brew install --formula ./memory-machine.rb
class MemoryMachine < Formula
  desc "Exact time of parallel algorithms on the memory machine models of GPU computing"
  homepage "https://docs.rs/memory-machine"
  url ENV.fetch("UMM_SOURCE")
  version "0.2.0"
  sha256 ENV.fetch("UMM_SHA256")
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    generate_completions_from_executable(bin/"umm", "completions")
    system bin/"umm", "man", "-o", buildpath/"man"
    man1.install Dir["man/*.1"]
  end

  test do
    assert_match "time units", shell_output("#{bin}/umm run sum --set n=64")
  end
end
